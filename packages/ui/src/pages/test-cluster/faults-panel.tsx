import { detach } from '@coxswain/apimachinery/detach.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../controls/button.tsx';
import { Badge } from '../../controls/tone.tsx';
import { inLanguages } from '../../language/language.ts';
import { whileBusy } from './busy.ts';
import { act, type TestFault } from './testing-calls.ts';

const text = inLanguages(
  {
    title: 'Faults',
    none: 'No faults are active.',
    clear: 'Remove all',
    add: 'Add',
    verb: 'Verb',
    resource: 'Resource, such as pods or pods/binding',
    action: 'Fault',
    probability: 'Probability, from 0 to 1',
    of: (count: number) => `applied ${count} times`,
    any: 'any',
  },
  {
    title: '故障注入',
    none: '所有请求均正常响应。',
    clear: '全部移除',
    add: '添加',
    verb: '动词',
    resource: '资源，例如 pods 或 pods/binding',
    action: '故障',
    probability: '概率，0 到 1',
    of: (count: number) => `已触发 ${count} 次`,
    any: '任意',
  },
);

/** The actions with the verbs that each applies to. */
const actions: Readonly<Record<string, readonly string[]>> = {
  error: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  conflict: ['create', 'update', 'patch', 'delete'],
  lostAnswer: ['create', 'update', 'patch', 'delete'],
  latency: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  dropWatch: ['watch'],
  staleRead: ['get', 'list'],
};

export function FaultsPanel({
  faults,
  isBusy,
}: {
  readonly faults: readonly TestFault[];
  readonly isBusy: boolean;
}) {
  const unless = whileBusy(isBusy);
  return (
    <section class="panel" aria-labelledby="faults-title">
      <div class="panel-head">
        <h2 id="faults-title">{text().title}</h2>
        {faults.length > 0 && (
          <Button unless={unless} onPress={() => detach(act('DELETE', 'faults'))}>
            {text().clear}
          </Button>
        )}
      </div>
      {faults.length === 0 && <p class="test-note panel-note">{text().none}</p>}
      <ul class="test-list">
        {faults.map((fault, index) => (
          <li key={index}>
            <Badge tone="warn">{fault.action}</Badge>
            <code class="tool-note truncated">{[fault.verb, fault.resource].map(wordsOf).join(' ')}</code>
            <span class="panel-note">
              {fault.probability !== undefined && `${Math.round(fault.probability * 100)} % · `}
              {text().of(fault.count)}
            </span>
          </li>
        ))}
      </ul>
      <NewFault unless={unless} />
    </section>
  );
}

const wordsOf = (words: string | readonly string[] | undefined): string =>
  words === undefined ? text().any : [words].flat().join(',');

function NewFault({ unless }: { readonly unless: string | undefined }) {
  const [action, setAction] = useState('error');
  const [verb, setVerb] = useState('create');
  const [resource, setResource] = useState('pods');
  const [probability, setProbability] = useState('1');
  const verbs = actions[action]!;
  const chosen = verbs.includes(verb) ? verb : verbs[0]!;
  const add = (): void =>
    detach(
      act('POST', 'faults', {
        action,
        verb: chosen,
        probability: Number(probability),
        ...(resource.trim() !== '' && { resource: resource.trim() }),
      }),
    );
  return (
    <div class="test-tools test-new">
      <select
        class="input"
        aria-label={text().action}
        value={action}
        onChange={({ currentTarget }) => setAction(currentTarget.value)}
      >
        {Object.keys(actions).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        class="input"
        aria-label={text().verb}
        value={chosen}
        onChange={({ currentTarget }) => setVerb(currentTarget.value)}
      >
        {verbs.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <input
        class="input mono"
        aria-label={text().resource}
        title={text().resource}
        value={resource}
        onInput={({ currentTarget }) => setResource(currentTarget.value)}
      />
      <input
        class="input mono test-duration"
        type="number"
        min="0"
        max="1"
        step="0.1"
        aria-label={text().probability}
        title={text().probability}
        value={probability}
        onInput={({ currentTarget }) => setProbability(currentTarget.value)}
      />
      <Button icon="plus" unless={unless} onPress={add}>
        {text().add}
      </Button>
    </div>
  );
}
