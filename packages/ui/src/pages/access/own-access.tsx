/** What the user may do, as the server says it: all that can be known without reading roles and bindings. */

import type { AccessQuestion } from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import type { PolicyRule } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import { whoAmI } from '@coxswain/apiserver/authorization/rbac/explain/server-answer.ts';
import type { UserInfo } from '@coxswain/apiserver/user.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { useEffect, useState } from 'preact/hooks';
import { client, facts } from '../../cluster/cluster.ts';
import { useMay } from '../../cluster/permissions.ts';
import { scope } from '../../cluster/scope.ts';
import { Failed, Loading } from '../../controls/notice.tsx';
import { Badge } from '../../controls/tone.tsx';
import { inLanguages } from '../../language/language.ts';
import { Fact } from './fact.tsx';
import { GrantsTable } from './grants-table.tsx';

const text = inLanguages(
  {
    you: (name: string) => `You (${name})`,
    answers: { allowed: 'allowed', denied: 'denied', asking: 'asking' },
    groups: 'Groups',
    reason: 'Reason given by the server',
    others: 'Why, and who else',
    unreadable: (message: string) => `Roles and bindings explain it, and you may not read them: ${message}`,
    title: (namespace: string) => `What you may do in namespace ${namespace}`,
    incomplete: 'The server could not list everything.',
  },
  {
    you: (name: string) => `你（${name}）`,
    answers: { allowed: '允许', denied: '拒绝', asking: '查询中' },
    groups: '组',
    reason: '服务器的说明',
    others: '原因与其他人',
    unreadable: (message: string) => `需要读取角色和绑定才能解释，而你无权读取：${message}`,
    title: (namespace: string) => `你在命名空间 ${namespace} 中可以做什么`,
    incomplete: '服务器未能列出全部权限。',
  },
);

interface OwnAccessProps {
  readonly question: AccessQuestion;
  /** Why roles and bindings cannot be read. */
  readonly failure: unknown;
}

export function OwnAccess({ question, failure }: OwnAccessProps) {
  const namespace = question.namespace || scope.value || facts.value.namespace;
  const own = useOwnRules(namespace);
  const { verb, group, resource, subresource, name } = question;
  const may = useMay(
    question.path !== ''
      ? undefined
      : {
          verb,
          resource: { group, resource },
          ...(subresource !== '' && { subresource }),
          ...(question.namespace !== '' && { namespace: question.namespace }),
          ...(name !== '' && { name }),
        },
  );
  if (own.failure !== undefined) return <Failed failure={own.failure} />;
  if (own.user === undefined) return <Loading />;
  return (
    <>
      <section class="panel" aria-labelledby="own-title">
        <div class="panel-head">
          <h2 id="own-title" class="truncated">
            {text().you(own.user.name)}
          </h2>
          {question.path === '' && <Badge tone={tones[may.answer]}>{text().answers[may.answer]}</Badge>}
        </div>
        <dl class="verdict">
          <Fact name={text().groups} values={own.user.groups} />
          <Fact name={text().reason} values={[may.reason].filter(Boolean)} />
          <Fact name={text().others} values={[text().unreadable(messageOf(failure))]} />
        </dl>
      </section>
      <GrantsTable title={text().title(namespace)} rules={own.rules}>
        {own.isIncomplete && <p class="entries-more">{text().incomplete}</p>}
      </GrantsTable>
    </>
  );
}

const tones = { allowed: 'ok', denied: 'bad', asking: 'idle' } as const;

interface OwnRules {
  readonly user?: UserInfo;
  readonly rules: readonly PolicyRule[];
  readonly isIncomplete: boolean;
  readonly failure?: unknown;
}

interface RulesReview extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly resourceRules?: readonly PolicyRule[] | null; readonly incomplete?: boolean };
}

function useOwnRules(namespace: string): OwnRules {
  const [own, setOwn] = useState<OwnRules>({ rules: [], isIncomplete: false });
  useEffect(() => {
    let isWanted = true;
    const reviews = client.resource<RulesReview>('authorization.k8s.io/v1', 'selfsubjectrulesreviews');
    const review = reviews.create({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      metadata: {},
      spec: { namespace },
    });
    Promise.all([whoAmI(client), review]).then(
      ([user, { status }]) =>
        isWanted &&
        setOwn({ user, rules: status?.resourceRules ?? [], isIncomplete: status?.incomplete === true }),
      (failure: unknown) => isWanted && setOwn({ rules: [], isIncomplete: false, failure }),
    );
    return () => void (isWanted = false);
  }, [namespace]);
  return own;
}
