import type { KubeObject } from '@coxswain/apimachinery';

const shownMax = 200;

export const ChosenNames = ({ rows }: { readonly rows: readonly KubeObject[] }) => (
  <ul class="name-list">
    {rows.slice(0, shownMax).map(({ metadata: { uid, namespace, name } }) => (
      <li key={uid}>{namespace === undefined ? name : `${namespace}/${name}`}</li>
    ))}
    {rows.length > shownMax && <li>…</li>}
  </ul>
);
