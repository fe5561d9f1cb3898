/** Same drawing as public/favicon.svg. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#17607c" />
    <path
      d="M11 25V9.5A2.5 2.5 0 0 1 13.5 7H22M11 16h8"
      fill="none"
      stroke="#fff"
      strokeWidth="3.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <circle cx="21.5" cy="24" r="2" fill="#9fd3e6" />
  </svg>
)
