/** An object's name, truncated in the middle: generated names differ at their end, which therefore stays. */

/** The length of a pod's suffix with its hyphen. */
const tailLength = 6;
const lengthKept = 16;

export function ElidedName({ name }: { readonly name: string }) {
  if (name.length <= lengthKept) return <span class="truncated">{name}</span>;
  return (
    <>
      <span class="visually-hidden">{name}</span>
      <span class="elided-name" aria-hidden="true">
        <span class="truncated">{name.slice(0, -tailLength)}</span>
        <span>{name.slice(-tailLength)}</span>
      </span>
    </>
  );
}
