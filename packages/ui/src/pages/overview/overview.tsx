export default function Overview() {
  return <div class="page">…</div>;
}
