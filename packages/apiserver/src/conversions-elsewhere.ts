/**
 * Who owns what is found out in one go, but objects may have to be seen in versions into which only a webhook converts
 * them. So the work is done until a conversion is missing, and anew when it is there.
 */
import { internalError, isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { ConversionError, ConversionNeeded, type ConvertTo } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';

/** @throws StatusError when the object can't be had */
export type ConvertElsewhere = (object: KubeObject, apiVersion: string) => Promise<KubeObject>;

/** Far more than a write needs: two objects for each version of its managers, and four for what an apply gives up. */
const conversionsMax = 500;

/**
 * @param local tells the type of a version, and throws ConversionNeeded for objects that it doesn't convert
 * @param hubVersion through which all conversions go
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

/** The same work makes the same objects again, but not the same values. */
const keyOf = ({ object, apiVersion }: ConversionNeeded): string => `${apiVersion} ${writeAny(object)}`;

/** What is nothing but its kind needs nobody to convert it. */
const typeOf = (local: ConvertTo, apiVersion: string) => local({}, apiVersion)!.type;
