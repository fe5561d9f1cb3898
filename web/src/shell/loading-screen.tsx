import { Logo } from './logo.tsx'
import './loading-screen.css'

/** Loading screen. CSS delays it, because loading mostly takes only a moment. */
export const LoadingScreen = () => (
  <main className="alone waiting" aria-busy="true">
    <Logo size={40} />
    <span className="only-heard" role="status">
      Loading…
    </span>
  </main>
)
