import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** `dot`: stated by a statement. `square`: entered by a person or a program. `diamond`: the first day that does not follow. */
type MarkShape = 'dot' | 'square' | 'diamond';

const RADIUS = 4;
const COLORS = { dot: '--matched', square: '--text-2', diamond: '--bad' } as const satisfies Record<MarkShape, string>;

/** Returns the current value of a colour token. */
function tokenColor(name: string): string {
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

/** Writes the words of the first break above its mark, or below where there is no room, and within the plot. */
function drawName(plot: uPlot, words: string, x: number, y: number): void {
  const { ctx: context, bbox } = plot;
  const scale = window.devicePixelRatio;
  context.font = `600 ${11 * scale}px ${getComputedStyle(document.body).fontFamily}`;
  const half = context.measureText(words).width / 2 + 4 * scale;
  const isAbove = y - 24 * scale > bbox.top;
  const middle = Math.min(Math.max(x, bbox.left + half), bbox.left + bbox.width - half);
  const top = isAbove ? y - 26 * scale : y + 10 * scale;
  context.fillStyle = tokenColor('--surface');
  context.fillRect(middle - half, top, 2 * half, 16 * scale);
  context.fillStyle = tokenColor(COLORS.diamond);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(words, middle, top + 8 * scale);
}

/** Draws a mark on each point, and the words of the first break by its mark. Squares are hollow. */
function drawMarks(plot: uPlot, points: readonly ChartPoint[], breakText: (iso: string) => string): void {
  const [days = [], values = []] = plot.data;
  const { ctx: context } = plot;
  const scale = window.devicePixelRatio;
  context.save();
  context.lineWidth = 2 * scale;
  for (const [place, { shape }] of points.entries()) {
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
  for (const [place, { shape, date }] of points.entries()) {
    const [day, value] = [days[place], values[place]];
    if (shape !== 'diamond' || day === undefined || value === undefined || value === null) continue;
    drawName(plot, breakText(date), plot.valToPos(day, 'x', true), plot.valToPos(value, 'y', true));
  }
  context.restore();
}

export interface ChartPoint {
  /** ISO date. */
  readonly date: string;
  /** A whole number, such as minor units. */
  readonly value: number;
  readonly shape: MarkShape;
}

interface DayChartProps {
  /** Sorted by date; each date occurs once. */
  readonly points: readonly ChartPoint[];
  readonly valueText: (value: number) => string;
  readonly dateText: (iso: string) => string;
  /** Names the first break by its day. */
  readonly breakText: (iso: string) => string;
  /** Receives the point under the pointer, or null when the pointer leaves. */
  readonly onPoint: (point: ChartPoint | null) => void;
}

const HEIGHT = 200;
const MS_PER_SECOND = 1_000;

const secondsOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / MS_PER_SECOND;
const isoOf = (seconds: number): string => new Date(seconds * MS_PER_SECOND).toISOString().slice(0, 10);

function optionsOf({ points, valueText, dateText, breakText, onPoint }: DayChartProps, width: number): uPlot.Options {
  const axis = { stroke: tokenColor('--text-2'), grid: { stroke: tokenColor('--line'), width: 1 }, ticks: { show: false } };
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const widest = Math.max(...points.map(({ value }) => valueText(value).length));
  const isOneDay = (ticks: readonly number[], place: number): boolean =>
    place > 0 && isoOf(ticks[place] ?? 0) === isoOf(ticks[place - 1] ?? 0);
  return {
    width,
    height: HEIGHT,
    // The day under the last tick reaches half its width beyond it.
    padding: [10, 36, 0, 8],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * MS_PER_SECOND), 'UTC'),
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: true } },
    axes: [
      {
        ...axis,
        font,
        space: 90,
        values: (_plot, ticks) => ticks.map((tick, place) => (isOneDay(ticks, place) ? '' : dateText(isoOf(tick)))),
      },
      { ...axis, font, size: 24 + widest * 6, values: (_plot, ticks) => ticks.map((tick) => valueText(Math.round(tick))) },
    ],
    series: [
      {},
      {
        stroke: tokenColor('--matched'),
        width: 2,
        points: { show: false },
        ...(uPlot.paths.stepped === undefined ? {} : { paths: uPlot.paths.stepped({ align: 1 }) }),
      },
    ],
    hooks: {
      draw: [(plot) => drawMarks(plot, points, breakText)],
      setCursor: [({ cursor: { idx } }) => onPoint(typeof idx === 'number' ? (points[idx] ?? null) : null)],
    },
  };
}

/** Values by day as a stepped line with marks. The caller shows the same values in words and in a table. */
export function DayChart(props: DayChartProps) {
  // A canvas cannot use CSS variables, so it is drawn again when the colour scheme changes.
  const scheme = useComputedColorScheme('light');
  return <Drawn key={scheme} {...props} />;
}

function Drawn(props: DayChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { points } = props;
  const onPoint = useEffectEvent(props.onPoint);
  const options = useEffectEvent((width: number) => optionsOf({ ...props, onPoint: (point) => onPoint(point) }, width));
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const data: uPlot.AlignedData = [points.map(({ date }) => secondsOf(date)), points.map(({ value }) => value)];
    const plot = new uPlot(options(element.clientWidth), data, element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [points]);
  return <div ref={frame} style={{ width: '100%', minWidth: 0, height: 200, overflow: 'hidden' }} aria-hidden data-testid="day-chart" />;
}
