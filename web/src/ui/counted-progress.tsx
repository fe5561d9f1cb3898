interface CountedProgressProps {
  /** Label for screen readers. */
  label: string
  done: number
  total: number
  /** Plural noun for the counted items. */
  things: string
}

/** A progress bar with figures. */
export const CountedProgress = ({ label, done, total, things }: CountedProgressProps) => (
  <div className="counted-progress">
    <progress aria-label={label} value={done} max={total} />
    <span className="quiet small">
      {done.toLocaleString('en')} of {total.toLocaleString('en')} {things}
    </span>
  </div>
)
