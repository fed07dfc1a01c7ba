import type { TableRow } from '../../../cluster/table-source.ts';

const shownMax = 200;

export const ChosenNames = ({ rows }: { readonly rows: readonly TableRow[] }) => (
  <ul class="action-names">
    {rows.slice(0, shownMax).map(({ metadata: { uid, namespace, name } }) => (
      <li key={uid}>{namespace === undefined ? name : `${namespace}/${name}`}</li>
    ))}
    {rows.length > shownMax && <li>…</li>}
  </ul>
);
