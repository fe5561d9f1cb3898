interface CountedProgressProps {
  /** What is counted, for those who do not see the bar. */
  label: string
  done: number
  total: number
  /** Of which there are so many. */
  things: string
}

/** How far something has come, in figures too. */
export const CountedProgress = ({ label, done, total, things }: CountedProgressProps) => (
  <div className="counted-progress">
    <progress aria-label={label} value={done} max={total} />
    <span className="quiet small">
      {done.toLocaleString('en')} of {total.toLocaleString('en')} {things}
    </span>
  </div>
)
