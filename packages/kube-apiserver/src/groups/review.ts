/** Reviews: a POST returns the body with its status filled in, and nothing is stored. */
import { here, invalid, runStep, type KubeObject } from '@coxswain/apimachinery';
import { servedObject, type ApiRequest, type Conversion } from '@coxswain/apiserver';
import type { Kind, KindBehaviour } from '@coxswain/schema';
import { legacyConversion } from './conversion.ts';
import { deprecationOf } from './deprecations.ts';
import type { VirtualResource } from './resource.ts';
import { versionedContext } from './versioned-errors.ts';
import type { Services } from './services.ts';

export interface Review<T> {
  readonly kind: Kind;
  readonly plural: string;
  readonly namespaced?: boolean;
  /** @throws StatusError */
  readonly answer: (review: T, request: ApiRequest, services: Services) => Promise<T>;
}

export const reviewResource = <T>({
  kind,
  plural,
  namespaced = false,
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
        const { validate } = kind.behaviour as KindBehaviour<T>;
        const context = {
          nowMs: request.receivedAtMs,
          allowPrivileged: true,
          ...versionedContext(services.features),
        };
        const errors = validate?.(review, undefined, context) ?? [];
        if (errors.length > 0) throw invalid({ group: kind.group, kind: '' }, '', errors);
        await admit(object);
        const { observer } = request;
        const reviewed = () => answer(review, request, services);
        const answered = await runStep(observer, here`review`, reviewed, undefined, answer);
        return servedObject(answered as unknown as KubeObject);
      },
    },
    singularName: plural.slice(0, -1),
  }),
});

/** The same review in a version that upstream has removed. */
export const legacyReview = (
  review: VirtualResource,
  kind: Kind,
  conversion?: Conversion,
): VirtualResource => ({
  name: review.name,
  versions: [kind.version],
  legacy: true,
  resource(stores, services) {
    const current = review.resource(stores, services);
    const deprecation = deprecationOf(kind);
    return {
      ...current,
      kind,
      conversion: legacyConversion(current.storage.kind, { kind, ...(conversion && { conversion }) }),
      ...(deprecation === undefined ? {} : { deprecation }),
    };
  },
});
