import type { AskedFor } from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import type { PolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { useMemo } from 'preact/hooks';
import { kinds } from '../../cluster/kinds.ts';
import { refusedIn } from '../../cluster/refusal.ts';
import { Button } from '../../controls/button.tsx';
import { SuggestInput, type Suggestion } from '../../controls/suggest-input.tsx';
import { inLanguages } from '../../language/language.ts';
import { goQuery } from '../../navigation/route.ts';

const text = inLanguages(
  {
    verb: 'Verb',
    resource: 'Resource or path',
    name: 'Name (any)',
    namespace: 'Namespace (all)',
    as: 'User or service account; or paste a refusal',
    again: 'Read again',
  },
  {
    verb: '动词',
    resource: '资源或路径',
    name: '名称（任意）',
    namespace: '命名空间（全部）',
    as: '用户或服务账号；也可粘贴拒绝消息',
    again: '重新读取',
  },
);

export interface Asked extends AskedFor {
  /** `alice`, `system:serviceaccount:shop:web`; empty if nobody in particular. */
  readonly as: string;
}

const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'impersonate',
  'bind',
  'escalate',
  '*',
];

interface QuestionBarProps {
  readonly asked: Asked;
  /** Undefined if the user may not read it, and so can only ask about themselves. */
  readonly policy: PolicyObjects | undefined;
  readonly onRefresh: () => void;
}

export function QuestionBar({ asked, policy, onRefresh }: QuestionBarProps) {
  const users = useMemo(() => (policy === undefined ? [] : usersOf(policy)), [policy]);
  const namespaces = useMemo(() => (policy === undefined ? [] : namespacesOf(policy)), [policy]);
  const field = (
    key: 'verb' | 'name' | 'namespace' | 'as' | 'resource',
    value: string,
    known: () => readonly string[],
  ) => (
    <SuggestInput
      label={text()[key]}
      placeholder={text()[key]}
      value={value}
      onChange={(changed) => goQuery({ [key]: changed.trim() })}
      suggestionsFor={(typed) => matching(known(), typed)}
    />
  );
  return (
    <div class="tool-bar access-bar" role="toolbar" onPaste={askWhy}>
      {field('verb', asked.verb, () => verbs)}
      {field('resource', asked.what, resources)}
      {field('name', asked.name, () => [])}
      {field('namespace', asked.namespace, () => namespaces)}
      {policy !== undefined && field('as', asked.as, () => users)}
      <Button icon="restart" label={text().again} onPress={onRefresh} />
    </div>
  );
}

/** Pasting an error message about a denied request into any field fills in all of them. */
function askWhy(event: ClipboardEvent): void {
  const refused = refusedIn(event.clipboardData?.getData('text/plain') ?? '');
  if (refused === undefined) return;
  event.preventDefault();
  goQuery({ ...refused });
}

/** `pods`, `pods/log`, `deployments.apps` */
const resources = (): readonly string[] => [
  ...new Set(
    kinds.value.resources.flatMap(({ group, resource, subresources }) => {
      const name = group === '' ? resource : `${resource}.${group}`;
      return [name, ...subresources.map((sub) => `${name}/${sub.name}`)];
    }),
  ),
];

/** Those that begin with the typed text come first. */
const matching = (known: readonly string[], typed: string): readonly Suggestion[] =>
  known
    .filter((value) => value.includes(typed) && value !== typed)
    .toSorted((one, other) => Number(other.startsWith(typed)) - Number(one.startsWith(typed)))
    .map((value) => ({ value }));

const usersOf = ({ bindings }: PolicyObjects): readonly string[] =>
  [
    ...new Set(
      bindings.flatMap(({ subjects, metadata }) =>
        (subjects ?? [])
          .filter(({ kind }) => kind !== 'Group')
          .map(({ kind, name, namespace }) =>
            kind === 'User'
              ? name
              : `system:serviceaccount:${namespace || (metadata.namespace ?? '')}:${name}`,
          ),
      ),
    ),
  ].toSorted();

const namespacesOf = ({ roles, bindings }: PolicyObjects): readonly string[] =>
  [
    ...new Set(['default', ...[...roles, ...bindings].map(({ metadata }) => metadata.namespace ?? '')]),
  ].filter((name) => name !== '');
