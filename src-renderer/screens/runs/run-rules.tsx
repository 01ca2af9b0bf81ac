import { Table, Text } from '@mantine/core';
import type { Rule, Run } from '../../../src-shared/contract/index.ts';
import { countText } from '../../format/counts.ts';
import { ruleText } from '../../format/rule-words.ts';
import { elapsedText, ruleNotes } from '../../format/run-words.ts';

interface RunRulesProps {
  readonly run: Run;
  /** The rules of now: one that has been deleted since is named by its number. */
  readonly rules: readonly Rule[];
  readonly decimalPlaces: number;
}

/** What each rule of a run found, in the order of the rules now, and what was not worked out to its end. */
export function RunRules({ run, rules, decimalPlaces }: RunRulesProps) {
  const places = new Map(rules.map((rule, place) => [String(rule.id), place]));
  const placeOf = (id: string): number => places.get(id) ?? rules.length;
  const found = Object.entries(run.rule_summary).toSorted(([left], [right]) => placeOf(left) - placeOf(right));
  return (
    <Table horizontalSpacing="sm" data-testid="run-rules" aria-label="What each rule of the run found">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Rule</Table.Th>
          <Table.Th ta="right">New matches</Table.Th>
          <Table.Th ta="right">Lines matched</Table.Th>
          <Table.Th ta="right">Proposals</Table.Th>
          <Table.Th ta="right">Took</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {found.map(([id, figures]) => {
          const rule = rules[placeOf(id)];
          return (
            <Table.Tr key={id}>
              <Table.Td>
                {rule === undefined ? `Rule ${id}, which is gone` : (rule.description ?? ruleText(rule, decimalPlaces))}
                {ruleNotes(figures).map((note) => (
                  <Text key={note} size="xs" c="dimmed">
                    {note}
                  </Text>
                ))}
              </Table.Td>
              <Table.Td className="amount">{countText(figures.matches)}</Table.Td>
              <Table.Td className="amount">{countText(figures.records)}</Table.Td>
              <Table.Td className="amount">{countText(figures.proposed)}</Table.Td>
              <Table.Td className="amount">{elapsedText(figures.elapsed_ms)}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
