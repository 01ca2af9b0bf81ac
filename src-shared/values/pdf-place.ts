/** Where a line is on a page of a PDF: points from its top left corner, and the quarter turns by which the text of the page runs. */
export interface PdfPlace {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly quarter: number;
}

/** The key of the metadata that leads from a line to its place in a PDF. */
export const PDF_PLACE_KEY = 'pdf_place';

/** Returns a place as the metadata has it. The quarter turns are left out where the text runs from left to right. */
export function pdfPlaceText({ page, left, top, width, height, quarter }: PdfPlace): string {
  return [page, left, top, width, height, ...(quarter === 0 ? [] : [quarter])].join(' ');
}

/** Returns the place that a line from a PDF has in its metadata; null for any other line. */
export function pdfPlaceOf(metadata: Readonly<Record<string, unknown>>): PdfPlace | null {
  const said = metadata[PDF_PLACE_KEY];
  const numbers = typeof said === 'string' && /^\d+(?: -?\d+){4,5}$/.test(said) ? said.split(' ').map(Number) : [];
  const [page, left, top, width, height, quarter = 0] = numbers;
  if (page === undefined || left === undefined || top === undefined || width === undefined || height === undefined) return null;
  return { page, left, top, width, height, quarter: quarter % 4 };
}
