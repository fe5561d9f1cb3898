interface CountedProgressProps {
  /** Label for screen readers. */
  label: string
  done: number
  total: number
  /** The figures in words: "4,200 of 10,000 emails". */
  text: string
}

/** A progress bar with figures. */
export const CountedProgress = ({ label, done, total, text }: CountedProgressProps) => (
  <div className="counted-progress">
    <progress aria-label={label} value={done} max={total} />
    <span className="quiet small">{text}</span>
  </div>
)
