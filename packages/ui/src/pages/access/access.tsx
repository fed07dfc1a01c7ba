/** Explains who may do something, why somebody may not, and which roles grant it. */

import {
  accessQuestion,
  questionText,
  type AccessQuestion,
} from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import {
  readPolicyObjects,
  type PolicyObjects,
} from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { isStatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { restMapper, type RestMapper } from '@coxswain/client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../cluster/cluster.ts';
import { scope } from '../../cluster/scope.ts';
import { Empty, Failed, Loading } from '../../controls/notice.tsx';
import { inLanguages } from '../../language/language.ts';
import { currentQuery } from '../../navigation/route.ts';
import { OwnAccess } from './own-access.tsx';
import { QuestionBar, type Asked } from './question-bar.tsx';
import { RolesTable } from './roles-table.tsx';
import { Verdict } from './verdict.tsx';
import { WhoCan } from './who-can.tsx';
import './access.css';

const text = inLanguages(
  {
    unknown: 'This cannot be checked',
    within: (access: string, namespace: string) => `${access} in namespace ${namespace}`,
  },
  {
    unknown: '无法这样询问',
    within: (access: string, namespace: string) => `${access}（命名空间 ${namespace}）`,
  },
);

interface Known {
  readonly mapper: RestMapper;
  /** Undefined if the user may not read all roles and bindings; `denial` says why. */
  readonly policy: PolicyObjects | undefined;
  readonly denial?: unknown;
}

export default function Access() {
  const [known, setKnown] = useState<Known | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let isWanted = true;
    readKnown().then(
      (read) => isWanted && setKnown(read),
      (reason: unknown) => isWanted && setFailure(reason),
    );
    return () => void (isWanted = false);
  }, [times]);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (known === undefined) return <Loading lines={10} />;
  const asked = askedFor(currentQuery.value);
  const question = questionOf(asked, known.mapper);
  return (
    <div class="access">
      <QuestionBar asked={asked} policy={known.policy} onRefresh={() => setTimes(times + 1)} />
      {typeof question === 'string' ? (
        <Empty title={text().unknown}>{question}</Empty>
      ) : (
        <div class="page">
          <h1>{titleOf(question)}</h1>
          {known.policy === undefined ? (
            <OwnAccess question={question} failure={known.denial} />
          ) : (
            <Answers question={question} policy={known.policy} as={asked.as} />
          )}
        </div>
      )}
    </div>
  );
}

async function readKnown(): Promise<Known> {
  const mapper = restMapper(await client.discovery.discover());
  try {
    return { mapper, policy: await readPolicyObjects(client) };
  } catch (denial) {
    if (!isStatusError(denial, 'Forbidden')) throw denial;
    return { mapper, policy: undefined, denial };
  }
}

interface AnswersProps {
  readonly question: AccessQuestion;
  readonly policy: PolicyObjects;
  readonly as: string;
}

const Answers = ({ question, policy, as }: AnswersProps) => (
  <>
    {as !== '' && (
      <Verdict key={JSON.stringify([question, as])} question={question} policy={policy} as={as} />
    )}
    <WhoCan question={question} policy={policy} />
    <RolesTable question={question} policy={policy} />
  </>
);

/** `delete secrets in namespace shop` */
const titleOf = (question: AccessQuestion): string =>
  question.namespace === ''
    ? questionText(question)
    : text().within(questionText({ ...question, namespace: '' }), question.namespace);

const askedFor = (query: URLSearchParams): Asked => ({
  verb: query.get('verb') ?? 'get',
  what: query.get('resource') ?? 'secrets',
  name: query.get('name') ?? '',
  namespace: query.get('namespace') ?? scope.value ?? '',
  as: query.get('as') ?? '',
});

/** Returns the question, or what is wrong with it. */
function questionOf(asked: Asked, mapper: RestMapper): AccessQuestion | string {
  try {
    return accessQuestion(asked, mapper);
  } catch (failure) {
    return messageOf(failure);
  }
}
