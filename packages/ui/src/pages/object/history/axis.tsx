/** A column for each moment, a line for each kind of moment, and a slider to move between them. */

import { inLanguages } from '../../../language/language.ts';
import { clockTime } from '../../../controls/clock-time.ts';
import type { Lane, Moment } from './moments.ts';
import { momentText } from './moment-text.ts';
import { toneOf } from './moment-tone.ts';

const text = inLanguages(
  {
    lanes: {
      revision: 'Revisions',
      event: 'Events',
      scheduling: 'Scheduling',
      container: 'Containers',
      request: 'Requests',
      reconcile: 'Reconciles',
    } satisfies Record<Lane, string>,
    slider: 'Moment',
    of: (one: number, all: number) => `${one} of ${all}`,
  },
  {
    lanes: {
      revision: '版本',
      event: '事件',
      scheduling: '调度',
      container: '容器',
      request: '请求',
      reconcile: '协调',
    },
    slider: '时刻',
    of: (one: number, all: number) => `${one} / ${all}`,
  },
);

const lanesInOrder: readonly Lane[] = [
  'revision',
  'event',
  'scheduling',
  'container',
  'request',
  'reconcile',
];

interface AxisProps {
  readonly moments: readonly Moment[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
}

export function Axis({ moments, index, onChoose }: AxisProps) {
  const last = moments.length - 1;
  const place = (at: number): string => `${last === 0 ? 100 : (at / last) * 100}%`;
  const lanes = lanesInOrder.filter((lane) => moments.some((moment) => moment.lane === lane));
  return (
    <div class="axis" style={{ '--lanes': lanes.length }}>
      {lanes.map((lane) => (
        <span key={lane} class="axis-lane">
          {text().lanes[lane]}
        </span>
      ))}
      <div class="axis-track">
        <span class="axis-now" style={{ left: place(index) }} />
        {moments.map((moment, at) => (
          <span
            key={moment.id}
            class="axis-mark"
            data-is-change={moment.lane === 'revision' || undefined}
            data-tone={toneOf(moment)}
            data-is-later={at > index || undefined}
            title={`${clockTime(moment.timeMs)} ${momentText(moment)}`}
            style={{ left: place(at), '--lane': lanes.indexOf(moment.lane) }}
            onClick={() => onChoose(at)}
          />
        ))}
      </div>
      <input
        type="range"
        class="axis-slider"
        aria-label={text().slider}
        aria-valuetext={`${clockTime(moments[index]!.timeMs)}, ${momentText(moments[index]!)}`}
        min={0}
        max={Math.max(last, 1)}
        value={last === 0 ? 1 : index}
        disabled={last === 0}
        onInput={({ currentTarget }) => onChoose(Number(currentTarget.value))}
      />
      <span class="axis-times">
        <span>{clockTime(moments[0]!.timeMs)}</span>
        <span>{text().of(index + 1, moments.length)}</span>
        <span>{clockTime(moments[last]!.timeMs)}</span>
      </span>
    </div>
  );
}
