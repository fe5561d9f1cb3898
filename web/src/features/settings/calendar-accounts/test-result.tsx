import { CircleCheck, CircleX } from 'lucide-react'
import type { Shape } from '../../../api/client.ts'
import { Notice } from '../../../ui/notice.tsx'

/** Result of a connection test: the calendars found, or the problem and its remedy. */
export const TestResult = ({ test: { failure, calendars } }: { test: Shape<'CalendarTest'> }) => (
  <div role="status">
    {failure === null ? (
      <Notice tone="good" icon={CircleCheck}>
        <p>
          {calendars.length === 0
            ? 'It works. There is no calendar there yet.'
            : `It works. Found: ${calendars.map(({ name }) => name).join(', ')}.`}
        </p>
      </Notice>
    ) : (
      <Notice tone="bad" icon={CircleX}>
        <p>{failure.problem}</p>
        <p>{failure.remedy}</p>
      </Notice>
    )}
  </div>
)
