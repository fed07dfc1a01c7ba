/**
 * Field ownership is computed synchronously, but may need objects in versions that only a webhook can convert to. So
 * the computation runs until a conversion is missing, and starts again once that conversion is done.
 */
import { internalError, isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { ConversionError, ConversionNeeded, type ConvertTo } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';

/** @throws StatusError when the conversion fails */
export type ConvertElsewhere = (object: KubeObject, apiVersion: string) => Promise<KubeObject>;

/** Far more than a write needs: two objects per version of its managers, and four for fields that an apply gives up. */
const conversionsMax = 500;

/**
 * @param local converts within the process, or throws ConversionNeeded
 * @param hubVersion the version through which all conversions go
 */
export async function withConversions<T>(
  work: (convert: ConvertTo) => T,
  local: ConvertTo,
  elsewhere: ConvertElsewhere,
  hubVersion: string,
): Promise<T> {
  const known = new Map<string, Conversion>();
  const convert: ConvertTo = (object, apiVersion) => {
    try {
      return local(object, apiVersion);
    } catch (failure) {
      const made = failure instanceof ConversionNeeded ? known.get(keyOf(failure)) : undefined;
      if (made === undefined) throw failure;
      if (made.object === undefined) throw new ConversionError(made.problem);
      return { type: typeOf(local, apiVersion), object: made.object };
    }
  };
  for (let count = 0; count < conversionsMax; count++) {
    try {
      return work(convert);
    } catch (failure) {
      if (!(failure instanceof ConversionNeeded)) throw failure;
      known.set(keyOf(failure), await conversion(failure, elsewhere, hubVersion));
    }
  }
  throw internalError(`more than ${conversionsMax} conversions are needed to determine field ownership`);
}

type Conversion = { readonly object: KubeObject } | { readonly object?: undefined; readonly problem: string };

async function conversion(
  { object, apiVersion }: ConversionNeeded,
  elsewhere: ConvertElsewhere,
  hubVersion: string,
): Promise<Conversion> {
  const given = object as KubeObject;
  try {
    const isDirect = given.apiVersion === hubVersion || apiVersion === hubVersion;
    const hub = isDirect ? given : await elsewhere(given, hubVersion);
    return { object: await elsewhere(hub, apiVersion) };
  } catch (failure) {
    if (!isStatusError(failure)) throw failure;
    return { problem: failure.message };
  }
}

/** A repeated run makes equal objects, but not identical ones, so the key is their content. */
const keyOf = ({ object, apiVersion }: ConversionNeeded): string => `${apiVersion} ${writeAny(object)}`;

/** An object that has nothing but its kind needs no conversion. */
const typeOf = (local: ConvertTo, apiVersion: string) => local({}, apiVersion)!.type;
