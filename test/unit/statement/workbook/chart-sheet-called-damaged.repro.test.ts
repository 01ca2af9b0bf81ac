import { expect, it } from 'vitest';
import { codesOf, statementOf } from '../../../support/inputs/statements.ts';
import { workbookParts, zipOf } from '../../../support/inputs/zips.ts';

it('a sheet that is a chart is none, which was said to be damaged', () => {
  const chart = '<sheet name="Chart" sheetId="2" r:id="rId3"/>';
  const relation =
    '<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet" Target="chartsheets/sheet1.xml"/>';
  const parts = workbookParts({ workbook: chart }).map((part) =>
    part.name.endsWith('workbook.xml.rels')
      ? { ...part, content: String(part.content).replace('</Relationships>', `${relation}$&`) }
      : part,
  );
  const statement = statementOf(zipOf([...parts, { name: 'xl/chartsheets/sheet1.xml', content: '<chartsheet><drawing/></chartsheet>' }]), {
    currency: 'EUR',
  });
  expect([statement.table?.sheet?.all.map(({ name }) => name), codesOf(statement)]).toEqual([['June'], []]);
});
