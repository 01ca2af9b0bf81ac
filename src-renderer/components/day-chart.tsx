import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './charts.module.css';
import { drawMarks, type MarkShape, tokenColor } from './chart-marks.ts';

export interface ChartPoint {
  /** ISO date. */
  readonly date: string;
  /** Whole, such as minor units. */
  readonly value: number;
  readonly shape: MarkShape;
}

interface DayChartProps {
  /** By date, each date once. */
  readonly points: readonly ChartPoint[];
  readonly valueText: (value: number) => string;
  readonly dateText: (iso: string) => string;
  /** Which point the pointer is at; null when it left. */
  readonly onPoint: (point: ChartPoint | null) => void;
}

const HEIGHT = 200;
const MS_PER_SECOND = 1_000;

const secondsOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / MS_PER_SECOND;
const isoOf = (seconds: number): string => new Date(seconds * MS_PER_SECOND).toISOString().slice(0, 10);

function optionsOf({ points, valueText, dateText, onPoint }: DayChartProps, width: number): uPlot.Options {
  const axis = { stroke: tokenColor('--text-2'), grid: { stroke: tokenColor('--line'), width: 1 }, ticks: { show: false } };
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const widest = Math.max(...points.map(({ value }) => valueText(value).length));
  const isOneDay = (ticks: readonly number[], place: number): boolean =>
    place > 0 && isoOf(ticks[place] ?? 0) === isoOf(ticks[place - 1] ?? 0);
  return {
    width,
    height: HEIGHT,
    padding: [10, 16, 0, 8],
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
      draw: [
        (plot) =>
          drawMarks(
            plot,
            points.map(({ shape }) => shape),
          ),
      ],
      setCursor: [({ cursor: { idx } }) => onPoint(typeof idx === 'number' ? (points[idx] ?? null) : null)],
    },
  };
}

/** Values day by day as a stepped line with marks; what it shows stands in words and in a table beside it. */
export function DayChart(props: DayChartProps) {
  // Drawn anew when light turns dark: a canvas knows no tokens.
  const scheme = useComputedColorScheme('light');
  return <Drawn key={scheme} {...props} />;
}

function Drawn(props: DayChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { points } = props;
  const held = useRef(props);
  useEffect(() => {
    held.current = props;
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const data: uPlot.AlignedData = [points.map(({ date }) => secondsOf(date)), points.map(({ value }) => value)];
    const given: DayChartProps = { ...held.current, points, onPoint: (point) => held.current.onPoint(point) };
    const plot = new uPlot(optionsOf(given, element.clientWidth), data, element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [points]);
  return <div ref={frame} className={styles.chart} aria-hidden data-testid="day-chart" />;
}
