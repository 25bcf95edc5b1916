// Vite puts style sheets where they belong.
declare module '*.css';
