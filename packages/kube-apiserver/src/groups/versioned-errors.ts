/** Errors that apply only with certain feature gates or in certain versions. */
import type { FieldError } from '@coxswain/apimachinery';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { ValidationContext } from '@coxswain/schema';

export const versionedContext = ({
  enabled,
  version,
}: FeatureGates): Pick<ValidationContext, 'enabled' | 'minCompatibility'> => ({
  enabled,
  minCompatibility: version.minCompatibility,
});

/** @param old stored values are not refused for being newer than this version */
export function counting(
  { enabled, version: { minCompatibility } }: FeatureGates,
  errors: readonly FieldError[] = [],
  old?: unknown,
): readonly FieldError[] {
  const isStored = ({ badValue }: FieldError): boolean =>
    old !== undefined && JSON.stringify(old).includes(JSON.stringify(badValue));
  return errors.filter((error) => {
    const { gate, unless, since, until } = error;
    if (gate !== undefined && !enabled(gate)) return false;
    if (unless !== undefined && enabled(unless)) return false;
    if (since !== undefined && minCompatibility < since) return false;
    return until === undefined || (minCompatibility < until && !isStored(error));
  });
}
