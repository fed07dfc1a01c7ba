/** Writes to objects that are not there, of every kind: some kinds are created by them. */
import { baseObjects, mostDiverse } from '../base-objects.ts';
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const isCollection = /^\/api(s\/[a-z0-9.]+)?\/v\d+(\/namespaces\/\$ns)?\/[a-z]+$/;
const unsteady = /\/(bindings|componentstatuses|[a-z]+reviews)$/;
const subresources = ['', '/status', '/scale'];
const uid = '7b1c2d3e-0000-4000-8000-00000000abcd';
const brief = { ignore: ['metadata.managedFields', 'metadata.generation'] };

function* questions(collection: string, body: Json): Generator<Step> {
  const { namespace: _, ...rest } = (body['metadata'] ?? {}) as Json;
  const named = (more: Json) => ({ ...body, metadata: { ...rest, name: 'missing', ...more } });
  for (const subresource of subresources) {
    const one = `${collection}/missing${subresource}`;
    for (const more of [
      {},
      { resourceVersion: '1' },
      { uid },
      { name: 'other' },
      { namespace: 'elsewhere' },
    ]) {
      yield ask(`PUT ${one}?dryRun=All`, named(more), brief);
      yield ask(`PATCH ${one}?dryRun=All&fieldManager=m`, named(more), { ...applyPatch, ...brief });
      yield ask(`PATCH ${one}?dryRun=All`, named(more), { ...mergePatch, ...brief });
    }
    yield ask(`PATCH ${one}?dryRun=All`, [], { ...jsonPatch, ...brief });
    yield ask(
      `PATCH ${one}?dryRun=All`,
      { metadata: { labels: { a: 'b' } } },
      { ...strategicPatch, ...brief },
    );
    yield ask(`DELETE ${one}?dryRun=All`, undefined, brief);
  }
}

export const cases: readonly DifferentialCase[] = [
  ...Map.groupBy(baseObjects(undefined), ({ collection }) => collection),
].flatMap(([collection, bases]) => {
  if (!isCollection.test(collection) || unsteady.test(collection)) return [];
  const [base] = [...mostDiverse(bases)].toSorted(
    (a, b) => JSON.stringify(a).length - JSON.stringify(b).length,
  );
  if (base === undefined) return [];
  return [{ name: collection.replace(/^\/apis?\//, ''), steps: [...questions(collection, base.body)] }];
});
