/** Reviews are questions: a POST whose answer is the body with its status filled in, and nothing is stored. */
import { invalid } from '@coxswain/apimachinery';
import type { FieldError, KubeObject } from '@coxswain/apimachinery';
import { servedObject } from '@coxswain/apiserver';
import type { ApiRequest } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';
import type { VirtualResource } from './resource.ts';
import type { Services } from './services.ts';

export interface Review<T> {
  readonly kind: Kind;
  readonly plural: string;
  readonly namespaced?: boolean;
  /** What is wrong with the question. */
  readonly validate?: (review: T) => readonly FieldError[];
  /** @throws StatusError */
  readonly answer: (review: T, request: ApiRequest, services: Services) => Promise<T>;
}

export const reviewResource = <T>({
  kind,
  plural,
  namespaced = false,
  validate,
  answer,
}: Review<T>): VirtualResource => ({
  name: plural,
  versions: [kind.version],
  resource: (_stores, services) => ({
    storage: {
      kind,
      namespaced,
      async create(request, object, _options, admit) {
        const review = object as unknown as T;
        const errors = validate?.(review) ?? [];
        if (errors.length > 0) throw invalid({ group: kind.group, kind: '' }, '', errors);
        await admit(object);
        return servedObject((await answer(review, request, services)) as unknown as KubeObject);
      },
    },
    singularName: plural.slice(0, -1),
  }),
});
