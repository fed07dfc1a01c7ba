import type { AccessQuestion } from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import type { PolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { serverAnswer, userOf } from '@coxswain/apiserver/authorization/rbac/explain/server-answer.ts';
import {
  explainAccess,
  type ServerAnswer,
} from '@coxswain/apiserver/authorization/rbac/explain/why-denied.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { client } from '../../cluster/cluster.ts';
import { Badge } from '../../controls/tone.tsx';
import { inLanguages } from '../../language/language.ts';
import { Fact } from './fact.tsx';
import { PolicyLink } from './policy-link.tsx';

const text = inLanguages(
  {
    may: 'allowed',
    mayNot: 'denied',
    asking: 'asking',
    groups: 'Groups',
    reason: 'Reason given by the server',
    allowedBy: 'Allowed by',
    bindings: 'Bindings that apply',
    none: 'none',
    missing: 'not found',
    nearest: 'Rules that nearly match',
    elsewhere: 'Allowed in another namespace by',
    enough: 'A rule that would allow it',
    roles: 'Roles that would allow it',
    grant: 'To bind the first',
  },
  {
    may: '允许',
    mayNot: '拒绝',
    asking: '查询中',
    groups: '组',
    reason: '服务器的说明',
    allowedBy: '由此允许',
    bindings: '适用的绑定',
    none: '无',
    missing: '不存在',
    nearest: '几乎匹配的规则',
    elsewhere: '在其他命名空间由此允许',
    enough: '足够的规则',
    roles: '足够的角色',
    grant: '绑定第一个角色',
  },
);

interface VerdictProps {
  readonly question: AccessQuestion;
  readonly policy: PolicyObjects;
  readonly as: string;
}

/** The server's own answer, and the roles and bindings that led to it. */
export function Verdict({ question, policy, as }: VerdictProps) {
  const user = useMemo(() => userOf(as, []), [as]);
  const [answer, setAnswer] = useState<ServerAnswer | undefined>(undefined);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    let isWanted = true;
    serverAnswer(client, question, user).then(
      (given) => isWanted && setAnswer(given),
      (reason: unknown) => isWanted && setFailure(messageOf(reason)),
    );
    return () => void (isWanted = false);
  }, [policy]);
  const { bindings, elsewhere, nearest, allowedBy, enough, roles, grant } = explainAccess(
    question,
    user,
    policy,
  );
  const isAllowed = answer?.allowed ?? allowedBy.length > 0;
  return (
    <section class="panel" aria-labelledby="verdict-title">
      <div class="panel-head">
        <h2 id="verdict-title" class="truncated">
          {as}
        </h2>
        <Badge tone={answer === undefined ? 'idle' : isAllowed ? 'ok' : 'bad'}>
          {answer === undefined ? text().asking : isAllowed ? text().may : text().mayNot}
        </Badge>
      </div>
      <dl class="verdict">
        <Fact name={text().groups} values={user.groups} />
        <Fact name={text().reason} values={[failure || (answer?.reason ?? '')].filter(Boolean)} />
        <Fact name={text().allowedBy} values={allowedBy} />
        <Fact
          name={text().bindings}
          values={
            bindings.length === 0
              ? [text().none]
              : bindings.map(({ binding, role, isMissing }) => (
                  <>
                    <PolicyLink named={binding} /> →{' '}
                    {isMissing ? (
                      `${role} (${text().missing})`
                    ) : (
                      <PolicyLink named={role} binding={binding} />
                    )}
                  </>
                ))
          }
        />
        {!isAllowed && (
          <>
            <Fact
              name={text().nearest}
              values={nearest.map(({ binding, role, lacks }) => (
                <>
                  <PolicyLink named={role} binding={binding} /> ({binding}): {lacks[0]}
                </>
              ))}
            />
            <Fact name={text().elsewhere} values={elsewhere} />
            <Fact name={text().roles} values={roles} />
            {grant !== undefined && (
              <>
                <dt>{text().grant}</dt>
                <dd>
                  <pre>{grant}</pre>
                </dd>
              </>
            )}
            <dt>{text().enough}</dt>
            <dd>
              <pre>{writeYaml([enough])}</pre>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
