/** Field selectors of every kind, of fields that it knows and lacks, in lists, watches and deletes of collections. */
import { baseObjects } from '../base-objects.ts';
import { ask, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const isCollection = /^\/api(s\/[a-z0-9.]+)?\/v\d+\w*(\/namespaces\/\$ns)?\/[a-z]+$/;
const unsteady = /\/(bindings|componentstatuses|[a-z]+reviews)$/;
const pick = ['kind', 'message', 'reason', 'code', 'details'];

const selectors = [
  'metadata.name=none',
  'metadata.name!=none,metadata.name=none',
  'metadata.name==none',
  'metadata.namespace=none',
  'metadata.uid=none',
  'metadata.labels.a=none',
  'metadata.generateName=none',
  'spec.nodeName=none',
  'spec.unschedulable=none',
  'spec.type=none',
  'spec.clusterIP=none',
  'spec.signerName=none',
  'spec.providerName=none',
  'spec.driver=none',
  'spec.parentRef=none',
  'status.phase=none',
  'status.replicas=none',
  'status.successful=none',
  'status.podIP=none',
  'involvedObject.kind=none',
  'regarding.kind=none',
  'reason=none',
  'type=none',
  'none',
  '=none',
  'a in (b)',
  'metadata.name=a\\,b',
  'metadata.name=a\\',
  'metadata.name=none,,',
  'metadata.name>none',
];

function* questions(collection: string): Generator<Step> {
  for (const selector of selectors) {
    const query = `fieldSelector=${encodeURIComponent(selector)}`;
    yield ask(`GET ${collection}?${query}`, undefined, { pick });
    yield ask(`GET ${collection}?watch=true&timeoutSeconds=1&resourceVersion=x&${query}`, undefined, {
      pick,
    });
    yield ask(`DELETE ${collection}?dryRun=All&${query}`, undefined, { pick });
  }
}

const collections = new Set(
  baseObjects(undefined)
    .map(({ collection }) => collection)
    .filter((collection) => isCollection.test(collection) && !unsteady.test(collection)),
);

export const cases: readonly DifferentialCase[] = [...collections].map((collection) => ({
  name: collection.replace(/^\/apis?\//, ''),
  steps: [...questions(collection)],
}));
