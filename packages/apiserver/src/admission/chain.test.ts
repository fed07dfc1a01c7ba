import { expect, test } from 'vitest';
import { admissionChain } from './chain.ts';
import { reinvocationOf, type AdmissionAttributes, type AdmissionPlugin } from './plugin.ts';

const attributesOf = (resource: string, subresource = ''): AdmissionAttributes => ({
  operation: 'CREATE',
  kind: { group: '', version: 'v1', kind: 'Any' },
  resource: { group: '', version: 'v1', resource },
  subresource,
  namespace: 'default',
  name: 'one',
  object: undefined,
  oldObject: undefined,
  owner: '',
  deadlineMs: Infinity,
  operationOptions: () => null,
  signal: () => new AbortController().signal,
  dryRun: false,
  user: { name: 'alice', groups: [] },
  warn: () => undefined,
  annotate: () => undefined,
});

function noting(asked: string[], name: string, only?: string): AdmissionPlugin {
  const note = ({ resource, subresource }: AdmissionAttributes) => {
    asked.push(`${name}: ${resource.resource}${subresource && `/${subresource}`}`);
  };
  return {
    name,
    ...(only === undefined ? {} : { resources: [{ group: '', resource: only }] }),
    handles: (operation) => operation === 'CREATE',
    mutate: note,
    validate: note,
  };
}

test('a plugin is called for its resources and their subresources only', () => {
  const asked: string[] = [];
  const chain = admissionChain([noting(asked, 'ofPods', 'pods'), noting(asked, 'ofAll')]);
  void chain.mutate(attributesOf('configmaps'));
  void chain.mutate(attributesOf('pods'));
  void chain.validate(attributesOf('pods', 'binding'));
  void chain.mutate({
    ...attributesOf('pods'),
    resource: { group: 'other', version: 'v1', resource: 'pods' },
  });
  void chain.mutate({ ...attributesOf('pods'), operation: 'DELETE' });
  expect(asked).toEqual([
    'ofAll: configmaps',
    'ofPods: pods',
    'ofAll: pods',
    'ofPods: pods/binding',
    'ofAll: pods/binding',
    'ofAll: pods',
  ]);
});

test('plugins run one after the other, even after an asynchronous one', async () => {
  const asked: string[] = [];
  const slow: AdmissionPlugin = {
    name: 'slow',
    handles: () => true,
    mutate: () => Promise.resolve().then(() => void asked.push('slow')),
  };
  await admissionChain([slow, noting(asked, 'after')]).mutate(attributesOf('pods'));
  expect(asked).toEqual(['slow', 'after: pods']);
});

test('a plugin that changed the object causes one reinvocation of all plugins, and no more', async () => {
  const asked: string[] = [];
  const changing: AdmissionPlugin = {
    name: 'changing',
    handles: () => true,
    async mutate(attributes) {
      const reinvocation = reinvocationOf(attributes);
      asked.push(`changing, second round: ${reinvocation.isSecondRound}`);
      reinvocation.isWanted = true;
    },
  };
  await admissionChain([noting(asked, 'before'), changing]).mutate(attributesOf('pods'));
  expect(asked).toEqual([
    'before: pods',
    'changing, second round: false',
    'before: pods',
    'changing, second round: true',
  ]);
});
