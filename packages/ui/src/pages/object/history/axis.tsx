/** A column for each moment, revisions above and events below, and the slider that goes from one to the next. */

import { inLanguages } from '../../../language/language.ts';
import { clockTime } from './clock-time.ts';
import { isRevision, type Moment } from './moments.ts';
import { momentText } from './moment-text.ts';
import { toneOf } from './moment-tone.ts';

const text = inLanguages(
  {
    revisions: 'Revisions',
    events: 'Events',
    slider: 'Moment',
    of: (one: number, all: number) => `${one} of ${all}`,
  },
  { revisions: '版本', events: '事件', slider: '时刻', of: (one: number, all: number) => `${one} / ${all}` },
);

interface AxisProps {
  readonly moments: readonly Moment[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
}

export function Axis({ moments, index, onChoose }: AxisProps) {
  const last = moments.length - 1;
  const place = (at: number): string => `${last === 0 ? 50 : (at / last) * 100}%`;
  return (
    <div class="axis">
      <span class="axis-lane">{text().revisions}</span>
      <span class="axis-lane">{text().events}</span>
      <div class="axis-track">
        <span class="axis-now" style={{ left: place(index) }} />
        {moments.map((moment, at) => (
          <span
            key={moment.id}
            class="axis-mark"
            data-lane={isRevision(moment) ? 'revision' : 'event'}
            data-tone={toneOf(moment)}
            data-is-later={at > index || undefined}
            title={`${clockTime(moment.timeMs)} ${momentText(moment)}`}
            style={{ left: place(at) }}
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
