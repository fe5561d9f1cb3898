import { loading } from '#locale/pages'
import { Logo } from './logo.tsx'
import './loading-screen.css'

/** Loading screen. CSS delays it, because loading mostly takes only a moment. */
export const LoadingScreen = () => (
  <main className="centered loading-screen" aria-busy="true">
    <Logo size={40} />
    <span className="visually-hidden" role="status">
      {loading}
    </span>
  </main>
)
