import { Mark } from './brand.tsx'
import './waiting.css'

/** Before anything is known. It stays blank for a moment, because most often that is all it takes. */
export const Waiting = () => (
  <main className="alone waiting" aria-busy="true">
    <Mark size={40} />
    <span className="only-heard" role="status">
      Loading…
    </span>
  </main>
)
