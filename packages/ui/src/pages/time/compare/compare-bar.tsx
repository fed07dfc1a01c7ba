/** Selects the two moments between which the cluster is compared. */

import { inLanguages } from '../../../language/language.ts';

const text = inLanguages({ from: 'From', to: 'To' }, { from: '从', to: '到' });

interface CompareBarProps {
  readonly fromMs: number;
  readonly toMs: number;
  readonly onFrom: (timeMs: number) => void;
  readonly onTo: (timeMs: number) => void;
}

export const CompareBar = ({ fromMs, toMs, onFrom, onTo }: CompareBarProps) => (
  <span class="compare-bar">
    <Moment name={text().from} timeMs={fromMs} onChoose={onFrom} />
    <Moment name={text().to} timeMs={toMs} onChoose={onTo} />
  </span>
);

interface MomentProps {
  readonly name: string;
  readonly timeMs: number;
  readonly onChoose: (timeMs: number) => void;
}

const Moment = ({ name, timeMs, onChoose }: MomentProps) => (
  <label class="check-label">
    {name}
    <input
      class="input"
      type="datetime-local"
      step="1"
      value={localTime(timeMs)}
      onChange={({ currentTarget: { value } }) => value !== '' && onChoose(Date.parse(value))}
    />
  </label>
);

/** `2026-01-01T10:00:00`, the format of the input field, in the user's time zone. */
function localTime(timeMs: number): string {
  const time = new Date(timeMs);
  return new Date(timeMs - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
