/** A term with its values, in a list of terms; nothing without values. */
export const Fact = ({ name, values }: { readonly name: string; readonly values: readonly string[] }) =>
  values.length === 0 ? null : (
    <>
      <dt>{name}</dt>
      <dd>
        {values.map((value) => (
          <div key={value}>{value}</div>
        ))}
      </dd>
    </>
  );
