import type { ChosenFile } from '../../../src-shared/contract/wire.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import type { ImportFlow } from '../../state/import-flow.ts';
import { isWorking } from '../../state/import-queue.ts';
import { ChooseFile } from './choose-file.tsx';
import { ImportDone } from './import-done.tsx';
import { JobProgressPanel } from './job-progress-panel.tsx';
import { PreviewStep } from './preview-step.tsx';
import { QueuePanel } from './queue-panel.tsx';
import { useImport } from './use-import.ts';
import { useImportQueue } from './use-import-queue.ts';

/** What is wrong with a reading is said where it is set right. */
function isBesideControls({ step, failure, preview }: ImportFlow): boolean {
  return step === 'preview' && failure?.isOfReading === true && (preview?.head.length ?? 0) > 0;
}

/** A file on its way into the book: choose, look at what was understood, import. */
export function ImportScreen({ streamKey }: { readonly streamKey: string | null }) {
  const process = useImport(streamKey);
  const queue = useImportQueue(streamKey);
  const { flow } = process;
  function take(files: readonly ChosenFile[]): void {
    const [file] = files;
    if (file !== undefined && files.length === 1) process.choose(file);
    else queue.take(files);
  }
  return (
    <Page
      title="Import a file"
      subtitle={flow.file === null ? 'Nothing is stored before you have seen what was understood.' : flow.file.name}
      testId="import-screen"
    >
      {queue.lines.length > 0 && <QueuePanel queue={queue} onOpen={(line) => process.choose(line.file)} />}
      {flow.failure !== null && !isBesideControls(flow) && (
        <FailurePanel title={flow.step === 'choose' ? 'The file could not be read' : 'Nothing was imported'} failure={flow.failure} />
      )}
      {flow.step === 'choose' && !isWorking(queue.lines) && <ChooseFile onChosen={take} />}
      {flow.step === 'reading' && (
        <JobProgressPanel title={`Reading ${flow.file?.name ?? 'the file'}`} progress={process.progress} onCancel={process.cancel} />
      )}
      {flow.step === 'preview' && flow.preview !== null && <PreviewStep process={process} preview={flow.preview} />}
      {flow.step === 'importing' && (
        <JobProgressPanel title={`Importing ${flow.file?.name ?? 'the file'}`} progress={process.progress} onCancel={process.cancel} />
      )}
      {flow.step === 'done' && flow.result !== null && <ImportDone process={process} result={flow.result} />}
    </Page>
  );
}
