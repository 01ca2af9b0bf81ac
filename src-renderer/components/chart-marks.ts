import type uPlot from 'uplot';

/** `dot`: stated. `square`: typed in. `diamond`: where it breaks. */
export type MarkShape = 'dot' | 'square' | 'diamond';

const RADIUS = 4;
const COLORS = { dot: '--matched', square: '--text-2', diamond: '--bad' } as const satisfies Record<MarkShape, string>;

/** A colour of the tokens as the page has it now. */
export function tokenColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function trace(context: CanvasRenderingContext2D, shape: MarkShape, x: number, y: number, radius: number): void {
  context.beginPath();
  if (shape === 'dot') context.arc(x, y, radius, 0, 2 * Math.PI);
  else if (shape === 'square') context.rect(x - radius + 0.5, y - radius + 0.5, 2 * radius - 1, 2 * radius - 1);
  else {
    const reach = radius * 1.5;
    context.moveTo(x, y - reach);
    context.lineTo(x + reach, y);
    context.lineTo(x, y + reach);
    context.lineTo(x - reach, y);
    context.closePath();
  }
}

/** Draws a mark on each point; a square is hollow. */
export function drawMarks(plot: uPlot, shapes: readonly MarkShape[]): void {
  const [days = [], values = []] = plot.data;
  const { ctx: context } = plot;
  const scale = window.devicePixelRatio;
  context.save();
  context.lineWidth = 2 * scale;
  for (const [place, shape] of shapes.entries()) {
    const [day, value] = [days[place], values[place]];
    if (day === undefined || value === undefined || value === null) continue;
    trace(context, shape, plot.valToPos(day, 'x', true), plot.valToPos(value, 'y', true), RADIUS * scale);
    context.fillStyle = shape === 'square' ? tokenColor('--surface') : tokenColor(COLORS[shape]);
    context.strokeStyle = shape === 'square' ? tokenColor(COLORS[shape]) : tokenColor('--surface');
    context.stroke();
    context.fill();
    if (shape !== 'square') continue;
    context.stroke();
  }
  context.restore();
}
