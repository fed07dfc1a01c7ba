/** Creates objects from YAML: the server applies each document, and the result is shown beside it. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { splitYamlDocuments } from '@coxswain/apimachinery/yaml/documents.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Manifest } from '@coxswain/client';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { useState } from 'preact/hooks';
import { client, facts, fieldManager } from '../../cluster/cluster.ts';
import { resourceOfKind } from '../../cluster/kinds.ts';
import { Button } from '../../controls/button.tsx';
import { Badge } from '../../controls/tone.tsx';
import CodeView from '../../editor/code-view.tsx';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import './create.css';

const text = inLanguages(
  {
    title: 'Create',
    how: 'Several objects are separated by a line of three hyphens.',
    try: 'Dry run',
    create: 'Create',
    created: 'Created',
    valid: 'The server would accept it',
    failed: 'Rejected',
    nothing: 'The text contains no object',
    yaml: 'YAML of the objects',
  },
  {
    title: '创建',
    how: '多个对象之间用一行三个连字符分隔。',
    try: '试运行',
    create: '创建',
    created: '已创建',
    valid: '服务器会接受',
    failed: '被拒绝',
    nothing: '文本中没有对象',
    yaml: '对象的 YAML',
  },
);

const template = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx
`;

interface Outcome {
  readonly title: string;
  readonly path: string | undefined;
  readonly failure: string | undefined;
}

export default function Create() {
  const [yaml, setYaml] = useState(template);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [wasDryRun, setWasDryRun] = useState(false);
  const act = async (dryRun: boolean): Promise<void> => {
    setOutcomes(await applyAll(yaml, dryRun));
    setWasDryRun(dryRun);
  };
  return (
    <div class="create">
      <div class="tool-bar" role="toolbar">
        <h1>{text().title}</h1>
        <span class="panel-note tool-note">{text().how}</span>
        <Button onPress={() => detach(act(true))}>{text().try}</Button>
        <Button kind="primary" onPress={() => detach(act(false))}>
          {text().create}
        </Button>
      </div>
      {outcomes.length > 0 && (
        <ul class="create-outcomes" role="status">
          {outcomes.map(({ title, path, failure }, index) => (
            <li key={index}>
              <Badge tone={failure === undefined ? 'ok' : 'bad'}>
                {failure === undefined ? (wasDryRun ? text().valid : text().created) : text().failed}
              </Badge>
              {path === undefined ? title : <a href={path}>{title}</a>}
              {failure !== undefined && <span class="create-failure">{failure}</span>}
            </li>
          ))}
        </ul>
      )}
      <CodeView text={template} label={text().yaml} onEdit={setYaml} />
    </div>
  );
}

async function applyAll(yaml: string, dryRun: boolean): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    for (const document of splitYamlDocuments(yaml)) {
      const value = readYaml(document, { strict: true });
      if (value !== null) outcomes.push(await apply(value as Manifest, dryRun));
    }
  } catch (failure) {
    outcomes.push({ title: '', path: undefined, failure: messageOf(failure) });
  }
  return outcomes.length === 0 ? [{ title: '', path: undefined, failure: text().nothing }] : outcomes;
}

async function apply(wanted: Manifest, dryRun: boolean): Promise<Outcome> {
  const { apiVersion = '', kind = '', metadata } = wanted as Partial<Manifest>;
  const title = `${kind} ${metadata?.name ?? ''}`;
  const resource = resourceOfKind(apiVersion, kind);
  try {
    const made: KubeObject = await client.apply(wanted, {
      fieldManager,
      fieldValidation: 'Strict',
      namespace: facts.value.namespace,
      dryRun,
    });
    const { namespace, name = '' } = made.metadata;
    const path = resource === undefined || dryRun ? undefined : objectPath(resource, namespace, name);
    return { title, path, failure: undefined };
  } catch (failure) {
    return { title, path: undefined, failure: messageOf(failure) };
  }
}
