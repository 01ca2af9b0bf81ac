import { Button, Code, Loader, Modal, ScrollArea, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useOperation } from '../../api/use-operation.ts';
import { Section } from './section.tsx';

/** Returns the licence texts, which the build puts beside the page. Throws where the file is missing. */
async function readLicences(): Promise<string> {
  const answer = await fetch('licences.txt');
  if (!answer.ok) throw new Error(`the file licences.txt is missing (${answer.status})`);
  return answer.text();
}

function Licences({ onClose }: { readonly onClose: () => void }) {
  const [texts, setTexts] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    readLicences().then(setTexts, (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  }, []);
  return (
    <Modal opened onClose={onClose} size="xl" title="Licences" closeButtonProps={{ 'aria-label': 'Close' }}>
      {texts === null && problem === null && <Loader aria-label="Reading the licences" />}
      {problem !== null && <Text size="sm">The licences could not be read: {problem}. Build or install Tieout again.</Text>}
      {texts !== null && (
        <ScrollArea.Autosize mah="65vh" tabIndex={0} aria-label="Licences of the packages that Tieout contains">
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
      title="About Tieout"
      about={data === undefined ? 'Apache License 2.0.' : `Version ${data.version}. Apache License 2.0.`}
      action={
        <Button size="sm" variant="default" onClick={() => setOpen(true)} data-testid="show-licences">
          Licences
        </Button>
      }
    >
      <Text size="sm">Tieout works on this machine alone. Nothing leaves it unless you set up a sync.</Text>
      {isOpen && <Licences onClose={() => setOpen(false)} />}
    </Section>
  );
}
