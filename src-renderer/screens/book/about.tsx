import { Button, Code, Loader, Modal, ScrollArea, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useOperation } from '../../api/use-operation.ts';
import { Section } from './section.tsx';
import { say } from '../../../src-shared/words/say.ts';

/** Returns the licence texts, which the build puts beside the page. Throws where the file is missing. */
async function readLicences(): Promise<string> {
  const answer = await fetch('licences.txt');
  if (!answer.ok) throw new Error(say('book.about.theFileLicencesTxt', { status: answer.status }));
  return answer.text();
}

function Licences({ onClose }: { readonly onClose: () => void }) {
  const [texts, setTexts] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    readLicences().then(setTexts, (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  }, []);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={say('book.about.licences')}
      closeButtonProps={{ 'aria-label': say('book.about.close') }}
    >
      {texts === null && problem === null && <Loader aria-label={say('book.about.readingTheLicences')} />}
      {problem !== null && <Text size="sm">{say('book.about.theLicencesCouldNotBeRead', { problem })}</Text>}
      {texts !== null && (
        <ScrollArea.Autosize
          mah="65vh"
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': say('book.about.licencesOfThePackages') }}
        >
          <Code block data-testid="licences">
            {texts}
          </Code>
        </ScrollArea.Autosize>
      )}
    </Modal>
  );
}

/** The version, the licence, and the licences of the packages that Tieout contains. */
export function About() {
  const { data } = useOperation('instance.get', {});
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      id="about"
      title={say('book.about.aboutTieout')}
      about={data === undefined ? say('book.about.apacheLicense') : say('book.about.versionAndLicense', { version: data.version })}
      action={
        <Button size="sm" variant="default" onClick={() => setOpen(true)} data-testid="show-licences">
          {say('book.about.licences')}
        </Button>
      }
    >
      <Text size="sm">{say('book.about.tieoutWorksOnThisMachineAlone')}</Text>
      {isOpen && <Licences onClose={() => setOpen(false)} />}
    </Section>
  );
}
