/** Selects the two moments between which the cluster is compared. */

import { MomentInput } from '../../../controls/moment-input.tsx';
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
    <MomentInput name={text().from} timeMs={fromMs} onChoose={onFrom} />
    <MomentInput name={text().to} timeMs={toMs} onChoose={onTo} />
  </span>
);
