import type { ComponentChildren } from 'preact';

/** A term with its values, in a list of terms; nothing without values. */
export const Fact = ({
  name,
  values,
}: {
  readonly name: string;
  readonly values: readonly ComponentChildren[];
}) =>
  values.length === 0 ? null : (
    <>
      <dt>{name}</dt>
      <dd>
        {values.map((value, index) => (
          <div key={index}>{value}</div>
        ))}
      </dd>
    </>
  );
