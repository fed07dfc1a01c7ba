import type { AccessQuestion } from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import type { PolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { whoCan } from '@coxswain/apiserver/authorization/rbac/explain/who-can.ts';
import { inLanguages } from '../../language/language.ts';
import { goQuery } from '../../navigation/route.ts';
import { PolicyLink } from './policy-link.tsx';

const text = inLanguages(
  {
    title: 'Who can',
    none: 'No binding grants this to anyone.',
    masters: 'Members of system:masters may do everything. Only RBAC is considered.',
    kind: 'Kind',
    subject: 'Subject',
    binding: 'Through',
    role: 'Role',
    why: (subject: string) => `Why ${subject} may`,
  },
  {
    title: '谁可以',
    none: '没有绑定授予此权限。',
    masters: 'system:masters 的成员可以执行任何操作。不显示 RBAC 以外的鉴权器。',
    kind: '类型',
    subject: '主体',
    binding: '通过',
    role: '角色',
    why: (subject: string) => `${subject} 为何可以`,
  },
);

interface WhoCanProps {
  readonly question: AccessQuestion;
  readonly policy: PolicyObjects;
}

export function WhoCan({ question, policy }: WhoCanProps) {
  const permitted = whoCan(question, policy);
  return (
    <section class="panel" aria-labelledby="who-can-title">
      <div class="panel-head">
        <h2 id="who-can-title">{text().title}</h2>
        <span class="panel-note">{permitted.length}</span>
      </div>
      {permitted.length === 0 ? (
        <p class="all-well">{text().none}</p>
      ) : (
        <div class="matrix-frame">
          <table class="matrix who-can">
            <thead>
              <tr>
                <th scope="col">{text().kind}</th>
                <th scope="col">{text().subject}</th>
                <th scope="col">{text().binding}</th>
                <th scope="col">{text().role}</th>
              </tr>
            </thead>
            <tbody>
              {permitted.map(({ kind, subject, binding, role }) => (
                <tr key={`${kind} ${subject} ${binding}`}>
                  <td>{kind}</td>
                  <th scope="row">
                    {kind === 'Group' ? (
                      subject
                    ) : (
                      <button
                        type="button"
                        class="access-subject"
                        title={text().why(subject)}
                        onClick={() => goQuery({ as: userName(kind, subject) }, { replace: false })}
                      >
                        {subject}
                      </button>
                    )}
                  </th>
                  <td>
                    <PolicyLink named={binding} />
                  </td>
                  <td>
                    <PolicyLink named={role} binding={binding} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="entries-more">{text().masters}</p>
    </section>
  );
}

const userName = (kind: string, subject: string): string =>
  kind === 'ServiceAccount' ? `system:serviceaccount:${subject.replace('/', ':')}` : subject;
