import { pluralOf } from '../cluster/kinds.ts';
import { inLanguages } from '../language/language.ts';
import type { ChosenObjects } from './chosen-objects.ts';

const text = inLanguages(
  { several: (count: number, kinds: string) => `${count} ${kinds}` },
  { several: (count: number, kinds: string) => `${count} 个 ${kinds}` },
);

/** What a dialog acts on: `Deployment web`, `20 Deployments` */
export function titledCount({ kind, rows }: Pick<ChosenObjects, 'kind' | 'rows'>): string {
  const [first] = rows;
  return rows.length === 1 && first !== undefined
    ? `${kind.kind} ${first.metadata.name}`
    : text().several(rows.length, pluralOf(kind));
}
