import type { ApiResource } from '@coxswain/client';
import { parseLabelSelector } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { useNamespaceNames } from '../../../cluster/namespace-names.ts';
import { limitTo, scope } from '../../../cluster/scope.ts';
import type { ListedRow } from '../../../cluster/table-source.ts';
import { SuggestInput } from '../../../controls/suggest-input.tsx';
import { inLanguages } from '../../../language/language.ts';
import { currentQuery, goQuery } from '../../../navigation/route.ts';
import { fieldSuggestions } from './field-suggestions.ts';
import { labelSuggestions } from './label-suggestions.ts';
import './filters.css';

const text = inLanguages(
  {
    filter: 'Filter',
    namespace: 'Namespace',
    all: 'All namespaces',
    labels: 'Labels: app=web',
    labelSelector: 'Label selector',
    fields: 'Fields: metadata.name=web',
    fieldSelector: 'Field selector',
    wide: 'Wide',
  },
  {
    filter: '过滤',
    namespace: '命名空间',
    all: '所有命名空间',
    labels: '标签：app=web',
    labelSelector: '标签选择器',
    fields: '字段：metadata.name=web',
    fieldSelector: '字段选择器',
    wide: '更多列',
  },
);

interface FiltersProps {
  readonly kind: ApiResource;
  readonly rows: ReadonlyMap<string, ListedRow>;
}

export function Filters({ kind, rows }: FiltersProps) {
  const query = currentQuery.value;
  return (
    <div class="filters">
      <input
        class="input filters-text"
        type="search"
        data-search
        aria-label={text().filter}
        placeholder={`${text().filter}  /`}
        spellcheck={false}
        value={query.get('filter') ?? ''}
        onInput={({ currentTarget }) => goQuery({ filter: currentTarget.value })}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      {kind.namespaced && <NamespaceChoice />}
      <SuggestInput
        label={text().labelSelector}
        placeholder={text().labels}
        value={query.get('labels') ?? ''}
        onChange={(labels) => goQuery({ labels })}
        suggestionsFor={(typed) => labelSuggestions(typed, rows)}
        problemOf={problemOfLabels}
      />
      <SuggestInput
        label={text().fieldSelector}
        placeholder={text().fields}
        value={query.get('fields') ?? ''}
        onChange={(fields) => goQuery({ fields })}
        suggestionsFor={(typed) => fieldSuggestions(typed, kind, rows)}
      />
      <label class="check-label">
        <input
          type="checkbox"
          checked={query.get('wide') === '1'}
          onChange={({ currentTarget }) => goQuery({ wide: currentTarget.checked ? '1' : undefined })}
        />
        {text().wide}
      </label>
    </div>
  );
}

/** A user who may not list namespaces types the name. */
function NamespaceChoice() {
  const names = useNamespaceNames();
  const chosen = currentQuery.value.get('namespace') ?? scope.value ?? '';
  const choose = (namespace: string): void => {
    if (namespace === '') limitTo(undefined);
    goQuery({ namespace }, { replace: false });
  };
  if (names === undefined)
    return (
      <SuggestInput
        label={text().namespace}
        placeholder={text().namespace}
        value={chosen}
        onChange={choose}
        suggestionsFor={() => []}
      />
    );
  const all = chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <select
      class="input"
      aria-label={text().namespace}
      value={chosen}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">{text().all}</option>
      {all.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function problemOfLabels(typed: string): string | undefined {
  try {
    parseLabelSelector(typed);
    return undefined;
  } catch (failure) {
    return messageOf(failure);
  }
}
