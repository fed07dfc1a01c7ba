import type { PolicyRule } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { inLanguages } from '../../language/language.ts';
import { Grant, grantsLegend } from './grant.tsx';
import { grantedResources, type GrantedResource } from './granted-rules.ts';
import { usualVerbs } from './roles-matrix.ts';

const text = inLanguages(
  { resource: 'Resource', others: 'Other verbs', none: 'Nothing.', only: (names: string) => `only ${names}` },
  { resource: '资源', others: '其他动词', none: '无。', only: (names: string) => `仅 ${names}` },
);

interface GrantsTableProps {
  readonly title: string;
  readonly rules: readonly PolicyRule[];
  readonly children?: ComponentChildren;
}

/** What rules grant: a row for each resource, a column for each verb. */
export function GrantsTable({ title, rules, children }: GrantsTableProps) {
  const rows = useMemo(() => grantedResources(rules), [rules]);
  return (
    <section class="panel" aria-labelledby="grants-title">
      <div class="panel-head">
        <h2 id="grants-title">{title}</h2>
        <span class="panel-note">{grantsLegend()}</span>
      </div>
      {rows.length === 0 ? (
        <p class="all-well">{text().none}</p>
      ) : (
        <div class="matrix-frame">
          <table class="matrix roles-table">
            <thead>
              <tr>
                <th scope="col">{text().resource}</th>
                {usualVerbs.map((verb) => (
                  <th key={verb} scope="col">
                    {verb}
                  </th>
                ))}
                <th scope="col">{text().others}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={`${row.resource} ${row.names.join()}`} {...row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {children}
    </section>
  );
}

function Row({ resource, names, verbs }: GrantedResource) {
  const given = names.length > 0 ? 'some' : 'all';
  return (
    <tr>
      <th scope="row">
        {resource}
        {names.length > 0 && <span class="granted-names">{text().only(names.join(', '))}</span>}
      </th>
      {usualVerbs.map((verb) => (
        <Grant key={verb} grant={verbs.has(verb) || verbs.has('*') ? given : 'none'} />
      ))}
      <td>{[...verbs].filter((verb) => !usualVerbs.includes(verb)).join(', ')}</td>
    </tr>
  );
}
