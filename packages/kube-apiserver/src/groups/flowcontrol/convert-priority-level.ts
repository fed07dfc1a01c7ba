/** Up to v1beta2 the shares of priority levels had another name, and up to v1beta3 they could not be zero. */
import { PriorityLevelConfiguration } from '@coxswain/api/flowcontrol/v1/index.ts';
import { PriorityLevelConfiguration as V1beta3 } from '@coxswain/api/flowcontrol/v1beta3.ts';
import type { Conversion } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';
import { annotate, changing } from '../conversion.ts';
import type { AnyObject } from '../any-object.ts';

interface Limited {
  readonly nominalConcurrencyShares?: number | null;
  readonly assuredConcurrencyShares?: number;
}

export const assuredSharesConversion = (other: Kind): Conversion =>
  changing(PriorityLevelConfiguration, other, {
    toStorage: (level) =>
      changeLimited(level, ({ assuredConcurrencyShares = 0, ...limited }) => ({
        nominalConcurrencyShares: assuredConcurrencyShares,
        ...limited,
      })),
    fromStorage: (level) =>
      changeLimited(level, ({ nominalConcurrencyShares, ...limited }) => ({
        assuredConcurrencyShares: nominalConcurrencyShares ?? 0,
        ...limited,
      })),
  });

const zeroSharesAnnotation = 'flowcontrol.k8s.io/preserve-zero-concurrency-shares';

/** There a zero means the default, unless an annotation says that zero is intended. */
export const zeroSharesConversion = changing(PriorityLevelConfiguration, V1beta3, {
  toStorage: (level) => annotate(level, zeroSharesAnnotation, undefined),
  fromStorage(level) {
    const limited = limitedOf(level);
    if (limited == null || limited.nominalConcurrencyShares) return;
    if (level.metadata.annotations?.[zeroSharesAnnotation] === undefined) {
      annotate(level, zeroSharesAnnotation, '');
    }
  },
});

const limitedOf = ({ spec }: AnyObject): Limited | null | undefined =>
  (spec as { readonly limited?: Limited | null } | undefined)?.limited;

function changeLimited(level: AnyObject, change: (limited: Limited) => Limited): void {
  const limited = limitedOf(level);
  if (limited != null) level.spec = { ...(level.spec as object), limited: change(limited) };
}
