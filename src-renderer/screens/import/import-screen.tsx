import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { ChooseFile } from './choose-file.tsx';
import { ImportDone } from './import-done.tsx';
import { JobProgressPanel } from './job-progress-panel.tsx';
import { PreviewStep } from './preview-step.tsx';
import { useImport } from './use-import.ts';

/** A file on its way into the book: choose, look at what was understood, import. */
export function ImportScreen({ streamKey }: { readonly streamKey: string | null }) {
  const process = useImport(streamKey);
  const { flow } = process;
  return (
    <Page
      title="Import a file"
      subtitle={flow.file === null ? 'Nothing is stored before you have seen what was understood.' : flow.file.name}
      testId="import-screen"
    >
      {flow.failure !== null && (
        <FailurePanel title={flow.step === 'choose' ? 'The file could not be read' : 'Nothing was imported'} failure={flow.failure} />
      )}
      {flow.step === 'choose' && <ChooseFile onChosen={process.choose} />}
      {flow.step === 'reading' && (
        <JobProgressPanel title={`Reading ${flow.file?.name ?? 'the file'}`} progress={process.progress} onCancel={process.cancel} />
      )}
      {flow.step === 'preview' && flow.preview !== null && <PreviewStep process={process} preview={flow.preview} />}
      {flow.step === 'importing' && (
        <JobProgressPanel title={`Importing ${flow.file?.name ?? 'the file'}`} progress={process.progress} onCancel={process.cancel} />
      )}
      {flow.step === 'done' && flow.result !== null && <ImportDone flow={flow} result={flow.result} onAgain={process.again} />}
    </Page>
  );
}
