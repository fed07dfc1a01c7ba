interface MomentInputProps {
  readonly name: string;
  readonly timeMs: number;
  readonly onChoose: (timeMs: number) => void;
}

/** A moment, to the second, in the user's time zone. */
export const MomentInput = ({ name, timeMs, onChoose }: MomentInputProps) => (
  <label class="check-label">
    {name}
    <input
      class="input"
      type="datetime-local"
      step="1"
      value={localTime(timeMs)}
      onChange={({ currentTarget: { value } }) => value !== '' && onChoose(Date.parse(value))}
    />
  </label>
);

/** `2026-01-01T10:00:00`, the format of the input field. */
function localTime(timeMs: number): string {
  const time = new Date(timeMs);
  return new Date(timeMs - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
