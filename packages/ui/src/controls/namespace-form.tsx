/** Offers one namespace to a user who may not read all of them. */

import { facts } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { useNamespaceNames } from '../cluster/namespace-names.ts';
import { useMay } from '../cluster/permissions.ts';
import type { Refused } from '../cluster/refusal.ts';
import { limitTo, scope } from '../cluster/scope.ts';
import { inLanguages } from '../language/language.ts';
import { currentQuery, goQuery } from '../navigation/route.ts';
import { Button } from './button.tsx';
import { SuggestInput } from './suggest-input.tsx';

const text = inLanguages(
  { within: 'Show one namespace', namespace: 'Namespace' },
  { within: '只显示一个命名空间', namespace: '命名空间' },
);

/** Empty unless the refused request was for all that the page shows, and another namespace may be readable. */
export function NamespaceForm({ refused }: { readonly refused: Refused }) {
  const names = useNamespaceNames() ?? [];
  const kind = kinds.value.resources.find(
    ({ group, resource }) => refused.resource === (group === '' ? resource : `${resource}.${group}`),
  );
  const shown = currentQuery.value.get('namespace') ?? scope.value;
  if (kind?.namespaced !== true || refused.verb !== 'list' || refused.namespace !== shown) return null;
  const account = /^system:serviceaccount:([^:]+):/.exec(refused.as)?.[1];
  const likely = [...new Set([facts.value.namespace, ...(account === undefined ? [] : [account])])];
  return (
    <div class="namespace-form">
      <span>{text().within}</span>
      {likely
        .filter((namespace) => namespace !== refused.namespace)
        .map((namespace) => (
          <LikelyNamespace key={namespace} kind={kind} namespace={namespace} />
        ))}
      <SuggestInput
        label={text().namespace}
        placeholder={text().namespace}
        value={refused.namespace ?? ''}
        onChange={(typed) => choose(typed.trim())}
        suggestionsFor={(typed) => names.filter((name) => name.includes(typed)).map((value) => ({ value }))}
      />
    </div>
  );
}

interface LikelyNamespaceProps {
  readonly kind: { readonly group: string; readonly resource: string };
  readonly namespace: string;
}

/** A namespace that the user may read. */
function LikelyNamespace({ kind, namespace }: LikelyNamespaceProps) {
  const may = useMay({ verb: 'list', resource: kind, namespace });
  return may.answer === 'allowed' ? <Button onPress={() => choose(namespace)}>{namespace}</Button> : null;
}

function choose(namespace: string): void {
  if (namespace === '' || namespace === (currentQuery.value.get('namespace') ?? scope.value)) return;
  if (currentQuery.value.has('namespace')) goQuery({ namespace });
  limitTo(namespace);
}
