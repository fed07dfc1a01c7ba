import type { AccessQuestion } from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import type { PolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import { Grant, grantsLegend } from './grant.tsx';
import { rolesMatrix, verbsFor, type RoleRow } from './roles-matrix.ts';

const text = inLanguages(
  {
    title: 'Permissions by role',
    none: 'No role grants any of this.',
    role: 'Role',
    bindings: 'Bindings',
  },
  {
    title: '角色授予的权限',
    none: '没有角色授予相关权限。',
    role: '角色',
    bindings: '绑定数',
  },
);

interface RolesTableProps {
  readonly question: AccessQuestion;
  readonly policy: PolicyObjects;
}

export function RolesTable({ question, policy }: RolesTableProps) {
  const rows = rolesMatrix(question, policy);
  return (
    <section class="panel" aria-labelledby="roles-title">
      <div class="panel-head">
        <h2 id="roles-title">{text().title}</h2>
        <span class="panel-note">{grantsLegend()}</span>
      </div>
      {rows.length === 0 ? (
        <p class="all-well">{text().none}</p>
      ) : (
        <div class="matrix-frame">
          <table class="matrix roles-table">
            <thead>
              <tr>
                <th scope="col">{text().role}</th>
                {verbsFor(question).map((verb) => (
                  <th key={verb} scope="col" data-is-asked={verb === question.verb || undefined}>
                    {verb}
                  </th>
                ))}
                <th scope="col">{text().bindings}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Role key={`${row.role.metadata.namespace}/${row.role.metadata.name}`} {...row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Role({ role: { metadata }, grants, bindings }: RoleRow) {
  const { namespace, name = '' } = metadata;
  const resource = namespace ? 'roles' : 'clusterroles';
  const kind = { group: 'rbac.authorization.k8s.io', version: 'v1', resource };
  return (
    <tr data-is-unused={bindings === 0 || undefined}>
      <th scope="row">
        <a href={objectPath(kind, namespace, name)}>{namespace ? `${namespace}/${name}` : name}</a>
      </th>
      {grants.map((grant, column) => (
        <Grant key={column} grant={grant} />
      ))}
      <td>{bindings}</td>
    </tr>
  );
}
