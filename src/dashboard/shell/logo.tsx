export function Logo() {
  return (
    <span class="logo">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M6 22c4-5 7-5 10 0s6 5 10 0" />
        <path d="M6 15.5c4-5 7-5 10 0s6 5 10 0" opacity=".75" />
        <path d="M6 9c4-5 7-5 10 0s6 5 10 0" opacity=".5" />
      </svg>
      Windrow
    </span>
  );
}
