/** The name of an object where there is little room: generated names differ at their end, so that it stays. */

/** As many as the suffix of a pod has, and its hyphen. */
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
