import { detach } from '@coxswain/apimachinery/detach.ts';
import type { ComponentChildren } from 'preact';
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
    resource: 'Resource',
    resources: 'pods, pods/binding, …',
    action: 'Fault',
    probability: 'Probability',
    of: (count: number) => `applied ${count} times`,
    any: 'any',
  },
  {
    title: '故障注入',
    none: '所有请求均正常响应。',
    clear: '全部移除',
    add: '添加',
    verb: '动词',
    resource: '资源',
    resources: 'pods、pods/binding…',
    action: '故障',
    probability: '概率',
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
      <Field name={text().action}>
        <select class="input" value={action} onChange={({ currentTarget }) => setAction(currentTarget.value)}>
          {Object.keys(actions).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field name={text().verb}>
        <select class="input" value={chosen} onChange={({ currentTarget }) => setVerb(currentTarget.value)}>
          {verbs.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field name={text().resource}>
        <input
          class="input mono"
          placeholder={text().resources}
          value={resource}
          onInput={({ currentTarget }) => setResource(currentTarget.value)}
        />
      </Field>
      <Field name={text().probability}>
        <input
          class="input mono test-duration"
          type="number"
          min="0"
          max="1"
          step="0.1"
          value={probability}
          onInput={({ currentTarget }) => setProbability(currentTarget.value)}
        />
      </Field>
      <Button icon="plus" unless={unless} onPress={add}>
        {text().add}
      </Button>
    </div>
  );
}

interface FieldProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

const Field = ({ name, children }: FieldProps) => (
  <label class="test-field">
    <span class="panel-note">{name}</span>
    {children}
  </label>
);
